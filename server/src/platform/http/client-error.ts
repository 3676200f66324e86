// What is no HTTP request, or not in time: one line back, and the connection ends.
import type { Socket } from "node:net";

const answers: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: "405 Method Not Allowed\r\nallow: GET, HEAD, POST",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Fastify's `clientErrorHandler`. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  // Browsers open connections ahead of need: an answer would be taken for that of their next request.
  if (socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  refuseConnection(socket, answers[error.code ?? ""] ?? "400 Bad Request");
}

/** Answers what has come on a connection with a status line and ends it. Nothing where an answer has begun. */
export function refuseConnection(socket: Socket, status: string): void {
  // Node reports a late request every second until its connection has closed, which unread answers can put off.
  if (socket.writableEnded) return;
  if (socket.writable && socket.bytesWritten === 0) {
    socket.write(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\nx-content-type-options: nosniff\r\n\r\n`,
    );
  }
  socket.destroySoon();
}
