/**
 * *Cost limits* are for databases that charge by the bytes a query reads. They compare an engine's estimate, made before the query runs,
 * with what an organization allows.
 *
 * - A day is a calendar day in UTC, by the store's time. It counts the estimates of the runs that were started.
 * - A run that an automation starts counts for the person who created it. Viewers of a public link count together as one person.
 * - Engines without an estimate are not limited.
 */
export interface CostLimits {
  perQueryBytes: number | null
  perPersonDailyBytes: number | null
  perOrganizationDailyBytes: number | null
}

export const noCostLimits: CostLimits = { perQueryBytes: null, perPersonDailyBytes: null, perOrganizationDailyBytes: null }

/** What has been counted today. */
export interface CostUsage {
  personBytes: number
  organizationBytes: number
}
