// Another host, for pictures from outside. It records its requests.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface PictureHost {
  /** Of a picture there. */
  address: string;
  /** The paths that were asked for. */
  requests: string[];
  close(): Promise<void>;
}

export async function startPictureHost(): Promise<PictureHost> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/picture.png`,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        // A browser keeps a connection that it opened in vain.
        server.closeAllConnections();
      }),
  };
}
