/** Where in the world an address is. */
export interface IpRegions {
  /** ISO 3166-1 alpha-2; null where nobody can tell, as of an address of one's own network. */
  regionOf(ip: string): string | null;
}
