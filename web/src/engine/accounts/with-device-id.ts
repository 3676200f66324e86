import type { ApiClient } from "../api-client.ts";

/** The same calls, each with the device it is made from: all that the forms before sign-in call takes it (wire-contract.md §7, §8). */
export function withDeviceId(api: ApiClient, deviceId: () => Promise<string | null>): ApiClient {
  return {
    ...api,
    call: async (call, input, options) => {
      const device = await deviceId();
      const known = device === null ? input : Object.assign({ device_id: device }, input);
      return api.call(call, known, options);
    },
  };
}
