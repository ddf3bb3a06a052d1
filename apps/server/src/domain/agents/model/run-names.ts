/**
 * Names of the query runs in a chat, `r1`, `r2`, …, in the order in which the runs completed. The model uses them in place of run
 * ids, which it would have to copy character by character.
 */
export interface RunNames {
  /** Returns the run's name. A run that occurs again keeps its name. */
  add(run: NamedRun): string
  /** Finds a run by its name or its id. Only runs of the chat are found. */
  find(nameOrId: string): NamedRun | undefined
  nameOf(runId: string): string | undefined
}

export interface NamedRun {
  runId: string
  /** The title of the reference that it ran; null for other SQL. */
  title: string | null
}

export function makeRunNames(earlier: readonly NamedRun[] = []): RunNames {
  const runs = new Map<string, NamedRun>()
  const names = new Map<string, string>()
  const runNames: RunNames = {
    add(run) {
      const name = names.get(run.runId) ?? `r${names.size + 1}`
      names.set(run.runId, name)
      runs.set(name, run).set(run.runId, run)
      return name
    },
    find: (nameOrId) => runs.get(nameOrId),
    nameOf: (runId) => names.get(runId),
  }
  for (const run of earlier) runNames.add(run)
  return runNames
}
