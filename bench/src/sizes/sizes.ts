/**
 * How many rows of each kind a store has. Kinds that are not listed grow with one of these, or are a fixed number per organization.
 *
 * Organizations differ in size: the share of organization *k* is about 1/*k* (Zipf). Of a thousand, the largest has a tenth of everything.
 */
export interface Sizes {
  organizations: number
  events: number
  references: number
  automations: number
}

/** A company after two years. Three deliveries per event, five runs per reference, ten endpoints per organization. */
export const fullSizes: Sizes = { organizations: 1000, events: 10_000_000, references: 1_000_000, automations: 100_000 }

/**
 * So that a small store answers with as much as a large one: full pages of every list, a thousand queries to rank in a search, and rows
 * that lie between those of other organizations.
 */
const minimum: Sizes = { organizations: 4, events: 10_000, references: 2400, automations: 250 }

export function sizesAt(scale: number): Sizes {
  const scaled = (kind: keyof Sizes) => Math.max(minimum[kind], Math.round(fullSizes[kind] * scale))
  return {
    organizations: scaled('organizations'),
    events: scaled('events'),
    references: scaled('references'),
    automations: scaled('automations'),
  }
}

/** One of so many references has a long history: this is 200,000 of a million. */
export const historyEvery = 5
export const runsWithHistory = 20
export const versionsWithHistory = 5
export const keptResultsWithHistory = 5
export const endpointsPerOrganization = 10
/** The first organization's endpoint with the most deliveries, besides the ten. */
export const busyEndpoint = 10
export const membersPerOrganization = 10
export const agentRunsPerAutomation = 10
