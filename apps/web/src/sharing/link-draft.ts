import type { ViewerDownload } from '../api/generated/schemas.ts'
import { viewerDownloads } from '../api/generated/values.ts'
import type { PublicLink, PublicLinkChange } from '../api/public-links.ts'
import type { ParameterDefinition } from '../api/references.ts'
import { formatNames } from './format-names.ts'

/** A public link as the form edits it. */
export interface LinkDraft {
  /** Days from now, `never`, or `keep` for the current time of an existing link. */
  expiry: string
  hasPassword: boolean
  /** Empty keeps the current password of an existing link. */
  password: string
  downloads: ViewerDownload[]
  allowsRefresh: boolean
  showsSql: boolean
  /** By the name of the parameter: the allowed values, one per line. Parameters that are missing here stay at their default. */
  values: Record<string, string>
}

export const expiryDays = [1, 7, 30, 90]
const dayMs = 24 * 3600_000

export const newDraft: LinkDraft = {
  expiry: 'never',
  hasPassword: false,
  password: '',
  downloads: [],
  allowsRefresh: false,
  showsSql: false,
  values: {},
}

export const draftOf = (link: PublicLink): LinkDraft => ({
  expiry: link.expiresAt === null ? 'never' : 'keep',
  hasPassword: link.hasPassword,
  password: '',
  downloads: link.downloads,
  allowsRefresh: link.allowsRefresh,
  showsSql: link.showsSql,
  values: Object.fromEntries(link.parameters.map(({ name, values }) => [name, values.join('\n')])),
})

/** The request for a draft. The parameters are in the order of the item. */
export function requestOf(draft: LinkDraft, parameters: readonly ParameterDefinition[], nowMs: number): PublicLinkChange {
  const { expiry, hasPassword, password } = draft
  return {
    ...(expiry !== 'keep' && { expiresAt: expiry === 'never' ? null : new Date(nowMs + Number(expiry) * dayMs).toISOString() }),
    ...(!hasPassword ? { password: null } : password !== '' && { password }),
    downloads: viewerDownloads.filter((format) => draft.downloads.includes(format)),
    allowsRefresh: draft.allowsRefresh,
    showsSql: draft.showsSql,
    parameters: parameters.flatMap(({ name }) => {
      const lines = draft.values[name]
      return lines === undefined ? [] : { name, values: lines.split('\n').filter((line) => line.trim() !== '') }
    }),
  }
}

const commonRanges = ['last 7 days', 'last 30 days', 'this month', 'previous month', 'this year to date']

/** The values to start with: those that people choose from in the app. */
export function suggestedValues({ type, options }: Pick<ParameterDefinition, 'type' | 'options'>): string {
  if (options?.values) return options.values.map(({ value }) => value).join('\n')
  if (type === 'boolean') return 'true\nfalse'
  return type === 'dateRange' ? commonRanges.join('\n') : ''
}

const formats = new Intl.ListFormat('en', { type: 'disjunction' })

/** What viewers may do, for a list: “Downloads CSV · 2 parameters”. */
export function describeLink(link: PublicLink): string {
  const { downloads, parameters, allowsRefresh, showsSql } = link
  const facts = [
    ...(downloads.length > 0 ? [`Download as ${formats.format(downloads.map((format) => formatNames[format]))}`] : []),
    ...(allowsRefresh ? ['Refresh'] : []),
    ...(parameters.length > 0 ? [`Change ${parameters.length === 1 ? '1 parameter' : `${parameters.length} parameters`}`] : []),
    ...(showsSql ? ['See the SQL'] : []),
  ]
  return facts.length === 0 ? 'View only' : facts.join(' · ')
}
