// The reference: the package `resumable-stream` with connections to Redis of its own.
import { createClient } from "redis";
import { createResumableStreamContext } from "resumable-stream/redis";

export const STREAM = "a reply";

export async function openContext(url: string) {
  const [publisher, subscriber] = [createClient({ url }), createClient({ url })];
  await Promise.all([publisher.connect(), subscriber.connect()]);
  const streams = createResumableStreamContext({ waitUntil: () => {}, publisher, subscriber });
  return {
    streams,
    async close(): Promise<void> {
      await Promise.all([publisher.close(), subscriber.close()]);
    },
  };
}
