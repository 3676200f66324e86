// Which device this is, for who signs in. Loaded only where the operator has set DEVICE_FINGERPRINT.
import { load } from "./fingerprint.js";

/** The same text for as long as the device and its browser stay what they are. */
export async function getDeviceId() {
  // The library would otherwise report its use to its makers.
  const agent = await load({ monitoring: false });
  return (await agent.get()).visitorId;
}
