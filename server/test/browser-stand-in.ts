// A browser as far as redirects and cookies go: it keeps what it is told to and sends it back.

export interface BrowserStandIn {
  cookies: Map<string, string>;
  get(path: string): Promise<Response>;
  post(
    path: string,
    body: unknown,
  ): Promise<{ biz_code: number; biz_msg: string; biz_data: Record<string, unknown> }>;
  /** Where a redirect leads; throws where there is none. */
  redirected(path: string): Promise<string>;
}

/** `address`: `http://127.0.0.1:port`. Paths may be whole addresses of it. */
export function browserStandIn(address: string): BrowserStandIn {
  const cookies = new Map<string, string>();

  async function ask(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie !== "") headers.set("cookie", cookie);
    const url = new URL(path, address);
    const response = await fetch(address + url.pathname + url.search, {
      redirect: "manual",
      ...init,
      headers,
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const equals = pair.indexOf("=");
      cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
    return response;
  }

  return {
    cookies,
    get: (path) => ask(path, {}),
    async post(path, body) {
      const response = await ask(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const { data } = (await response.json()) as { data: never };
      return data;
    },
    async redirected(path) {
      const response = await ask(path, {});
      await response.body?.cancel();
      const location = response.headers.get("location");
      if (response.status !== 302 || location === null)
        throw new Error(`${path} answered ${response.status} without a redirect`);
      return location;
    },
  };
}
