import type { FastifyRequest } from 'fastify'
import { viewerOf } from '../../domain/access/read-access.ts'
import { getBoard } from '../../domain/boards/boards.ts'
import { getChatRow } from '../../domain/chats/chats.ts'
import type { Caller } from '../../model/caller.ts'
import { getReference } from '../../domain/references/references.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { QueryServices } from '../../domain/services.ts'
import { asViewer } from '../../store/access/viewer.ts'
import { cutText } from '../../ports/cut-text.ts'
import { height, width } from '../../domain/charts/draw/frame.ts'

/**
 * Link previews: Open Graph tags for the head of a permalink's page. Pages carry no data, so for anyone but signed-in members of the
 * organization the tags contain only the site's name.
 */
export interface LinkPreviews {
  reference(request: FastifyRequest, shortId: string): Promise<string>
  board(request: FastifyRequest, shortId: string): Promise<string>
  chat(request: FastifyRequest, shortId: string): Promise<string>
}

const siteName = ['og:site_name', 'Querypost'] as const
const descriptionMaxLength = 300

export function makeLinkPreviews(
  deps: Pick<QueryServices, 'db' | 'findReference' | 'baseUrl'>,
  callerOf: (request: FastifyRequest) => Promise<Caller | undefined>,
): LinkPreviews {
  async function preview(request: FastifyRequest, tagsFor: (caller: Caller) => Promise<Tag[]>): Promise<string> {
    const caller = await callerOf(request)
    const tags = caller ? await asViewer(viewerOf(caller), () => tagsFor(caller)).catch(noTagsIfRejected) : []
    return tagsToHtml([siteName, ...tags])
  }

  return {
    reference: (request, shortId) =>
      preview(request, async (caller) => {
        const { title, description } = await getReference(deps, caller, shortId)
        return [
          ['og:type', 'website'],
          ['og:title', title],
          ['og:description', shortened(description ?? 'A saved query and its latest result.')],
          ['og:url', `${deps.baseUrl}/q/${shortId}`],
          ['og:image', `${deps.baseUrl}/q/${shortId}/chart.png`],
          ['og:image:width', String(width)],
          ['og:image:height', String(height)],
          ['og:image:alt', title],
          ['twitter:card', 'summary_large_image'],
        ]
      }),
    board: (request, shortId) =>
      preview(request, async (caller) => {
        const { title, description } = await getBoard(deps, caller, shortId)
        return [
          ['og:title', title],
          ['og:description', shortened(description ?? 'A board of queries and their latest results.')],
          ['og:url', `${deps.baseUrl}/b/${shortId}`],
          ['twitter:card', 'summary'],
        ]
      }),
    chat: (request, shortId) =>
      preview(request, async (caller) => {
        const { title } = await getChatRow(deps, caller, shortId)
        return [['og:title', title], ['twitter:card', 'summary']]
      }),
  }
}

type Tag = readonly [property: string, content: string]

function noTagsIfRejected(error: unknown): Tag[] {
  if (error instanceof Refusal) return []
  throw error
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= descriptionMaxLength ? line : `${cutText(line, descriptionMaxLength - 1).text.trimEnd()}…`
}

function tagsToHtml(tags: Tag[]): string {
  return tags
    .map(([property, content]) => {
      const name = property.startsWith('og:') ? 'property' : 'name'
      return `<meta ${name}="${property}" content="${escapeAttribute(content)}">`
    })
    .join('')
}

/** Escapes a value for double quotes, and replaces characters that are not allowed in HTML. */
export function escapeAttribute(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
