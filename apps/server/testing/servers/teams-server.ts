import { type PlainAnswer, startPlainServer } from './plain-server.ts'

type Fields = Record<string, unknown>

/** A workflow of Teams on loopback that starts when a request is received. It refuses what Microsoft documents to refuse. */
export interface TeamsServer {
  url: string
  cards: { body: Fields[]; actions: { url: string }[] }[]
  /** Instead of the usual answer to the next requests, one each. */
  answers: PlainAnswer[]
  close(): Promise<void>
}

const messageMaxBytes = 28 * 1024

export async function startTeamsServer(): Promise<TeamsServer> {
  const cards: TeamsServer['cards'] = []
  const answers: PlainAnswer[] = []
  const server = await startPlainServer((request, body) => {
    const scripted = answers.shift()
    if (scripted) return scripted
    if (request.url !== '/workflows/abc/triggers/manual/paths/invoke?sig=secret') return failed(404, 'WorkflowNotFound')
    if (body.byteLength > messageMaxBytes) return failed(413, 'Request Entity too large')
    const message = JSON.parse(body.toString()) as { type?: string; attachments?: Fields[] }
    const fault = faultInMessage(message)
    if (fault !== null) return failed(400, fault)
    cards.push(message.attachments![0]!['content'] as TeamsServer['cards'][number])
    return { status: 202 }
  })
  return { url: `${server.url}/workflows/abc/triggers/manual/paths/invoke?sig=secret`, cards, answers, close: () => server.close() }
}

const failed = (status: number, message: string): PlainAnswer => ({ status, body: { error: { code: 'Failed', message } } })

function faultInMessage({ type, attachments }: { type?: string; attachments?: Fields[] }): string | null {
  if (type !== 'message' || attachments?.length !== 1) return 'must be a message with one card'
  const [{ contentType, content } = {} as Fields] = attachments
  if (contentType !== 'application/vnd.microsoft.card.adaptive') return 'is not an adaptive card'
  const card = content as { type?: string; version?: string; body?: Fields[]; actions?: Fields[] }
  // Teams supports cards up to 1.5.
  if (card.type !== 'AdaptiveCard' || !/^1\.[0-5]$/.test(card.version ?? '')) return 'has a type or version that Teams does not show'
  if ((card.actions ?? []).length > 6) return 'has more than 6 actions'
  return [...(card.body ?? []), ...(card.actions ?? [])].map(faultInElement).find((fault) => fault !== null) ?? null
}

/** The fields of each element that reports use, from the schema of adaptive cards 1.5. */
const schema: Record<string, { required: string[]; optional: string[] }> = {
  TextBlock: { required: ['text'], optional: ['wrap', 'size', 'weight', 'isSubtle', 'color', 'fontType', 'spacing', 'separator', 'horizontalAlignment'] },
  Image: { required: ['url'], optional: ['altText', 'selectAction', 'spacing'] },
  Table: { required: ['columns', 'rows'], optional: ['firstRowAsHeader', 'spacing'] },
  TableRow: { required: ['cells'], optional: [] },
  TableCell: { required: ['items'], optional: [] },
  'Action.OpenUrl': { required: ['url'], optional: ['title'] },
}

function faultInElement(element: Fields): string | null {
  const type = String(element['type'])
  const rules = schema[type]
  if (!rules) return `unknown element ${type}`
  const missing = rules.required.find((name) => element[name] === undefined)
  if (missing !== undefined) return `${type} needs ${missing}`
  const unknown = Object.keys(element).find((name) => ![...rules.required, ...rules.optional, 'type'].includes(name))
  if (unknown !== undefined) return `${type} has no property ${unknown}`
  const { url } = element as { url?: string }
  if (url !== undefined && !/^(https?:\/\/|data:image\/)/.test(url)) return `${type} has an invalid url`
  const children = [element['rows'], element['cells'], element['items'], element['selectAction']].flat().filter((child) => child !== undefined)
  return children.map((child) => faultInElement(child as Fields)).find((fault) => fault !== null) ?? null
}
