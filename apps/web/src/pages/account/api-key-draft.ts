import type { ApiKeyScope, NewApiKey } from '../../api/api-keys.ts'

/** What people choose on the page: whole actions. Single resources are for programs. */
export const offeredScopes = ['read', 'run', 'write', 'admin'] as const satisfies ApiKeyScope[]
type OfferedScope = (typeof offeredScopes)[number]

export const scopeTexts: Record<OfferedScope, { label: string; hint: string }> = {
  read: { label: 'Read', hint: 'queries, results, boards, chats' },
  run: { label: 'Run', hint: 'queries and automations, and ask questions' },
  write: { label: 'Write', hint: 'create, change and delete queries, boards, folders and automations' },
  admin: { label: 'Administer', hint: 'webhook endpoints, metrics and question sets' },
}

export const lifetimes = { '': 'Never', '7': 'In 7 days', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' } as const
export type LifetimeDays = keyof typeof lifetimes

export interface ApiKeyDraft {
  name: string
  scopes: readonly OfferedScope[]
  lifetimeDays: LifetimeDays
  /** CIDR blocks, separated by commas or spaces. */
  networks: string
  /** Null: the key sees what the person may see. */
  groupIds: readonly string[] | null
}

export const emptyDraft: ApiKeyDraft = { name: '', scopes: ['read', 'run', 'write'], lifetimeDays: '', networks: '', groupIds: null }

const dayMs = 86_400_000

export function keyOfDraft({ name, scopes, lifetimeDays, networks, groupIds }: ApiKeyDraft, now: Date): NewApiKey {
  const blocks = networks.split(/[\s,]+/).filter(Boolean)
  return {
    name,
    scopes: offeredScopes.filter((scope) => scopes.includes(scope)),
    expiresAt: lifetimeDays === '' ? null : new Date(now.getTime() + Number(lifetimeDays) * dayMs).toISOString(),
    allowedNetworks: blocks.length > 0 ? blocks : null,
    groupIds: groupIds && [...groupIds],
  }
}

/** The scopes of a key in words, such as "read, run, write boards". */
export const describeScopes = (scopes: readonly ApiKeyScope[]): string => scopes.map((scope) => scope.replace(':', ' ')).join(', ')

/** Without names, the groups were deleted, or none was chosen. */
export const describeGroups = (names: readonly string[]): string =>
  names.length === 0 ? 'sees what everyone may see' : `sees what ${names.join(' and ')} may see`
