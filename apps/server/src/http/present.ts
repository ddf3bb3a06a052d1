import type { Verification } from '../model/knowledge.ts'
import type { Query } from '../model/query.ts'
import type { DeletedReference, Reference, ReferenceInFull, ReferenceVersion, ReferenceVersionInFull } from '../model/reference.ts'
import type { FoundReference } from '../domain/references/search-references.ts'
import type { Run } from '../model/run.ts'
import type { ListedRun, RunInFull } from '../domain/runs/read-runs.ts'

/** Converts domain objects to the shapes of `schemas.ts`. */
export const presentReference = (reference: Reference) => ({
  ...reference,
  createdAt: reference.createdAt.toISOString(),
  updatedAt: reference.updatedAt.toISOString(),
})

export const presentReferenceInFull = ({ visualization, freshForSeconds: _, ...reference }: ReferenceInFull) => ({
  ...presentReference(reference),
  ...(visualization && { visualization }),
  parameters: reference.parameters,
})

export const presentVersionedReference = ({ version, ...reference }: ReferenceInFull & { version: number }) => ({
  ...presentReferenceInFull(reference),
  version,
})

export const presentReferenceVersion = ({ changedAt, ...version }: ReferenceVersion) => ({
  ...version,
  changedAt: changedAt.toISOString(),
})

export const presentReferenceVersionInFull = ({ changedAt, visualization, ...version }: ReferenceVersionInFull) => ({
  ...version,
  ...(visualization && { visualization }),
  changedAt: changedAt.toISOString(),
})

export const presentFoundReference = ({ latestRun, verification, ...reference }: FoundReference) => ({
  ...presentReference(reference),
  createdByName: reference.createdByName,
  analyticalDatabaseConfigId: reference.analyticalDatabaseConfigId,
  visualizationType: reference.visualizationType,
  isFavorite: reference.isFavorite,
  folderId: reference.folderId,
  tags: reference.tags,
  verification: verification && presentVerification(verification),
  latestRun: latestRun && {
    ...presentLatestRun(latestRun)!,
    completedAt: latestRun.completedAt?.toISOString() ?? null,
    isStopped: latestRun.isStopped,
  },
})

export const presentVerification = ({ verifiedAt, ...verification }: Verification) => ({
  ...verification,
  verifiedAt: verifiedAt.toISOString(),
})

export const presentDeletedReference = (reference: DeletedReference) => ({
  ...reference,
  createdAt: reference.createdAt.toISOString(),
  updatedAt: reference.updatedAt.toISOString(),
  deletedAt: reference.deletedAt.toISOString(),
})

export const presentQuery = (query: Query) => ({
  id: query.id,
  sql: query.sql,
  analyticalDatabaseConfigId: query.analyticalDatabaseConfigId,
  createdBy: query.createdBy,
  createdAt: query.createdAt.toISOString(),
  updatedAt: query.updatedAt.toISOString(),
})

export const presentLatestRun = (run: { id: string; status: Run['status']; runAt: Date } | null) =>
  run && { id: run.id, status: run.status, runAt: run.runAt.toISOString() }

export const presentQueryInFull = (query: Query & { latestRun: Run | null }) => {
  const run = query.latestRun
  return {
    ...presentQuery(query),
    latestRun: run && { ...presentLatestRun(run)!, completedAt: run.completedAt?.toISOString() ?? null },
    latestRunMetadata: run && {
      status: run.status,
      rowsRead: run.rowsRead,
      rowsWritten: run.rowsWritten,
      bytesRead: run.bytesRead,
      rowCount: run.rowCount,
      durationMs: durationMs(run),
      failureReason: run.failureReason,
    },
  }
}

export const presentRun = (run: Run) => ({
  id: run.id,
  queryId: run.queryId,
  status: run.status,
  runAt: run.runAt.toISOString(),
  triggerId: run.triggerId,
  parameterValues: run.parameterValues,
  renderedSql: run.renderedSql,
})

/** The published run plus what the web app shows. */
export const presentPagesRun = (run: Run) => ({
  ...presentRun(run),
  startedAt: run.startedAt?.toISOString() ?? null,
  completedAt: run.completedAt?.toISOString() ?? null,
  durationMs: durationMs(run),
  failureReason: run.failureReason,
  isStopped: run.isStopped,
  errorPosition: run.errorPosition,
  rowCount: run.rowCount,
  rowCountSoFar: run.rowCountSoFar,
  progress: run.progress,
  rowsRead: run.rowsRead,
  rowsWritten: run.rowsWritten,
  bytesRead: run.bytesRead,
  resultSizeBytes: run.resultSizeBytes,
})

export const presentListedRun = (run: ListedRun) => ({ ...presentPagesRun(run), triggeredBy: run.triggeredBy })

export const presentRunInFull = (run: RunInFull) => ({
  ...presentListedRun(run),
  references: run.references,
  inputs: run.inputs.map(({ shortId, title, parameterValues, inputRunId, status, resultHash, completedAt, rowCount }) => ({
    referenceShortId: shortId,
    title,
    parameterValues,
    runId: inputRunId,
    status,
    resultHash,
    completedAt: completedAt?.toISOString() ?? null,
    rowCount,
  })),
})

function durationMs(run: Run): number | null {
  return run.startedAt && run.completedAt ? Math.max(0, run.completedAt.getTime() - run.startedAt.getTime()) : null
}
