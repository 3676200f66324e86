/** Calls `act` once the element is nowhere on the screen: what is read stays when it gets another height. Returns the way to lose interest. */
export function whenOutOfSight(element: Element, act: () => void): () => void {
  const observer = new IntersectionObserver(([entry]) => {
    if (entry?.isIntersecting !== false) return;
    observer.disconnect();
    act();
  });
  observer.observe(element);
  return () => observer.disconnect();
}
