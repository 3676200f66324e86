/** Downloads what an address of ours gives. The page stays, whatever comes back. */
export function downloadAddress(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
