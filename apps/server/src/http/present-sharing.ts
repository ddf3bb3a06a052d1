import { changeableBy, choicesOf, clickFilterOf, initialValue } from '../domain/sharing/viewer-values.ts'
import type { PublicLinkWithToken } from '../domain/sharing/public-links.ts'
import type { ViewedItem } from '../domain/sharing/shared-item.ts'
import type { Tile, TileResult } from '../model/board.ts'
import type { SingleValue } from '../model/parameter.ts'
import { type Viewer, viewerDownloads } from '../model/sharing/public-link.ts'

export function presentPublicLink(link: PublicLinkWithToken, { baseUrl, now }: { baseUrl: string; now: Date }) {
  const { id, kind, shortId, title, showsSql, allowsRefresh, downloads, hasPassword, createdBy, viewCount, token } = link
  return {
    id,
    url: token === null ? null : `${baseUrl}/s/${token}`,
    kind,
    shortId,
    title,
    parameters: link.parameters.map(({ name, values }) => ({ name, values: values ?? [] })),
    showsSql,
    allowsRefresh,
    downloads,
    hasPassword,
    expiresAt: link.expiresAt?.toISOString() ?? null,
    isExpired: link.expiresAt !== null && link.expiresAt <= now,
    createdBy,
    createdAt: link.createdAt.toISOString(),
    viewCount,
    lastViewedAt: link.lastViewedAt?.toISOString() ?? null,
  }
}

/** Only what a viewer may see: no names of people, no other addresses, and SQL only if the viewer may see it. */
export const presentSharedView = (
  viewer: Viewer,
  item: ViewedItem,
  { chartPalette, now }: { chartPalette: string[] | null; now: Date },
) => ({
  kind: viewer.kind,
  title: item.title,
  description: item.description,
  parameters: changeableBy(item.parameters, viewer).map((parameter) => {
    const { name, displayName, description, type, isList = false } = parameter.definition
    const value: SingleValue | SingleValue[] | null = initialValue(parameter) ?? null
    return { name, displayName, description, type, isList, value, choices: choicesOf(parameter) }
  }),
  tabs: item.tabs,
  tiles: item.tiles.map((tile) => presentTile(tile, item, viewer)),
  allowsRefresh: viewer.allowsRefresh,
  downloads: viewerDownloads.filter((format) => viewer.downloads.includes(format)),
  chartPalette,
  tokenExpiresInSeconds: viewer.tokenExpiresAt && Math.max(0, Math.floor((viewer.tokenExpiresAt.getTime() - now.getTime()) / 1000)),
})

function presentTile(tile: Tile, item: ViewedItem, viewer: Viewer) {
  const { id, kind, text, shows, tabId, x, y, width, height } = tile
  const reference = item.queries.get(tile.referenceShortId ?? '')
  const sql = viewer.showsSql ? reference?.query?.sql : undefined
  const filters = clickFilterOf(tile, item.parameters, viewer)
  return {
    id,
    kind,
    title: tile.title || (reference?.title ?? null),
    text: text ?? null,
    x,
    y,
    width,
    height,
    ...(shows && { shows }),
    ...(tabId !== undefined && { tabId }),
    ...(reference?.visualization && { visualization: reference.visualization }),
    ...(sql !== undefined && { sql }),
    ...(filters && { filters }),
  }
}

/** Without ids of runs, and without reasons of failures, which may quote the SQL. */
export const presentSharedResults = (results: TileResult[]) => ({
  tiles: results.map(({ tileId, status, completedAt }) => ({
    tileId,
    status: status === 'expired' ? ('missing' as const) : status,
    completedAt: completedAt?.toISOString() ?? null,
  })),
})
