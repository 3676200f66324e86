/** The value below which `share` (0 … 1) of the sorted numbers lie; NaN of none. */
export function percentile(sorted: readonly number[] | Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
