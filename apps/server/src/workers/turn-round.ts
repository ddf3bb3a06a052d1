/**
 * The organizations that have had their turn in this round. A round is over when one of them has another turn, because then no other
 * organization was waiting for its first. Without rounds, a worker that claims one item at a time and holds none would always serve the
 * organization that has waited longest, until nothing of it is left.
 */
export function makeTurnRound() {
  let served = new Set<string>()
  return {
    served: (): string[] => [...served],
    add(items: readonly { organizationId: string }[]): void {
      for (const { organizationId } of items) {
        if (served.has(organizationId)) served = new Set()
        served.add(organizationId)
      }
    },
  }
}
