import type { ApiClient } from "../api-client.ts";

/** The same calls, each with the device it is made from: all that the forms before sign-in call takes it (wire-contract.md §7, §8). */
export function withDeviceId(api: ApiClient, deviceId: () => Promise<string | null>): ApiClient {
  return {
    ...api,
    call: async (call, input, options) => {
      const device = await deviceId();
      const known = device === null ? input : { ...input, device_id: device };
      return api.call(call, known as typeof input, options);
    },
  };
}
