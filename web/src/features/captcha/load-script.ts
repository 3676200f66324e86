// Loads the script of a captcha of others, and again when it fails (requirements 0§9: at most two retries).

const RETRIES = 2;

/** Rejects with the last failure. `insert` resolves when the script has run. */
export async function loadScript(source: string, insert = insertScript): Promise<void> {
  for (let failed = 0; ; failed++) {
    try {
      return await insert(source);
    } catch (error) {
      if (failed === RETRIES) throw error;
    }
  }
}

function insertScript(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.async = true;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error(`the script of the captcha was not loaded: ${source}`));
    });
    document.head.append(script);
  });
}
