import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { boardsOptions } from '../../api/boards.ts'
import { channelsOptions, conversationsOptions } from '../../api/channels.ts'
import { recipientGroupsOptions } from '../../api/reports.ts'
import { useSession } from '../../api/session.ts'
import type { ParseContext } from './parse-description.ts'
import { browserTimeZone, timeZones } from './time-zone.ts'
import { useReferences } from './use-references.ts'

/**
 * What a description of an automation can name: queries, boards, channels, groups. Boards, channels and groups that can't be loaded are left out. The
 * channels that a Slack bot can see are loaded only if the text names one.
 */
export function useParseContext(text: string): { data: ParseContext | undefined; error: unknown; retry(): void } {
  const { user } = useSession()
  const references = useReferences()
  const boards = useInfiniteQuery(boardsOptions)
  const channels = useQuery(channelsOptions)
  const groups = useQuery(recipientGroupsOptions)
  const bots = /#[\w-]/.test(text) ? (channels.data?.items ?? []).filter(({ kind }) => kind === 'slack_bot') : []
  const conversations = useQueries({ queries: bots.map(({ id }) => conversationsOptions(id)) })
  const isReady = references.data !== undefined && [boards, channels, groups, ...conversations].every(({ isPending }) => !isPending)
  const conversationsOf = (channelId: string) => conversations[bots.findIndex(({ id }) => id === channelId)]?.data ?? []
  return {
    data: isReady
      ? {
          references: references.data,
          boards: boards.data ?? [],
          channels: (channels.data?.items ?? []).map(({ id, kind, name }) => ({ id, kind, name, conversations: conversationsOf(id) })),
          userId: user.id,
          groups: groups.data ?? [],
          timeZone: browserTimeZone,
          timeZones,
        }
      : undefined,
    error: references.error,
    retry: () => void references.refetch(),
  }
}
