/** Tells the tap that is the fifth within two seconds (requirements 0§9); its count starts again after that. Times in ms. */
export function tapCounter(taps = 5, withinMs = 2000): (nowMs: number) => boolean {
  let times: number[] = [];
  return (nowMs) => {
    times = [...times.filter((time) => nowMs - time < withinMs), nowMs];
    if (times.length < taps) return false;
    times = [];
    return true;
  };
}
