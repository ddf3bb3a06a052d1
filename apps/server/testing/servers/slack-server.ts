import type { IncomingMessage } from 'node:http'
import { faultInBlocks } from './slack-blocks.ts'
import { type PlainAnswer, startPlainServer } from './plain-server.ts'

export interface PostedMessage {
  /** Null for a message that only shares files. */
  ts: string | null
  conversation: string
  threadTs: string | null
  text: string | null
  blocks: { type: string; text?: { text: string }; fields?: { text: string }[]; elements?: { url?: string; text?: unknown }[] }[]
  files: { title: string; fileName: string; bytes: Buffer }[]
}

/** Slack on loopback: an incoming webhook, and the methods of the Web API that reports use. It refuses what Slack documents to refuse. */
export interface SlackServer {
  apiUrl: string
  webhookUrl: string
  token: string
  messages: PostedMessage[]
  /** The names of the methods called, oldest first. */
  calls: string[]
  /** Instead of the usual answer to the next requests, one each. */
  answers: PlainAnswer[]
  /** People by the id of their account. */
  people: Map<string, SlackPerson>
  /** The permissions of the token. */
  scopes: Set<string>
  close(): Promise<void>
}

/** Of the bot's workspace, and with a confirmed address, unless it says otherwise. */
export interface SlackPerson {
  /** Not shown if the bot lacks `users:read.email`. */
  email: string
  teamId?: string
  isDeactivated?: boolean
  isConfirmed?: boolean
}

export interface SlackServerOptions {
  /** The bot is a member of the first; of the others it is not. */
  conversations?: string[]
}

const token = 'xoxb-test-token'
const pageSize = 2

/** Any of these permits the method. Others need none. */
const scopeOf: Record<string, string[]> = {
  'chat.postMessage': ['chat:write'],
  'chat.update': ['chat:write'],
  'files.getUploadURLExternal': ['files:write'],
  'files.completeUploadExternal': ['files:write'],
  'conversations.list': ['channels:read', 'groups:read'],
  'users.info': ['users:read'],
}
/** They permit no method, but let events be sent or fields be shown. */
const otherScopes = ['app_mentions:read', 'im:history', 'users:read.email']

/** In these tests the conversation at `index` has the id `C000000<index>`. */
export async function startSlackServer({ conversations = ['sales', 'general', 'ops'] }: SlackServerOptions = {}): Promise<SlackServer> {
  const messages: PostedMessage[] = []
  const calls: string[] = []
  const answers: PlainAnswer[] = []
  const people = new Map<string, SlackPerson>()
  const scopes = new Set([...Object.values(scopeOf).flat(), ...otherScopes])
  /** Bytes are null until they were uploaded. */
  const uploads = new Map<string, { fileName: string; lengthBytes: number; bytes: Buffer | null }>()
  const ids = conversations.map((_, at) => `C000000${at}`)

  const faultInPlace = (id: string | undefined) => {
    if (id !== undefined && /^D\w+$/.test(id)) return null
    if (id === undefined || !ids.includes(id)) return 'channel_not_found'
    return id === ids[0] ? null : 'not_in_channel'
  }

  function faultInMessage(place: string | undefined, args: Record<string, string>, { needsBlocks }: { needsBlocks: boolean }): string | null {
    const fault = faultInPlace(place)
    if (fault !== null) return fault
    if (args['thread_ts'] !== undefined && !/^\d+\.\d+$/.test(args['thread_ts'])) return 'invalid_thread_ts'
    if (args['blocks'] === undefined && !needsBlocks) return null
    return faultInBlocks(blocksIn(args)) === null ? null : 'invalid_blocks'
  }
  const blocksIn = ({ blocks }: Record<string, string>) => (blocks === undefined ? [] : (JSON.parse(blocks) as PostedMessage['blocks']))

  function post(place: string | undefined, args: Record<string, string>, options: { ts: string | null; files: PostedMessage['files'] }): string | null {
    const fault = faultInMessage(place, args, { needsBlocks: options.files.length === 0 })
    if (fault !== null) return fault
    const [threadTs, text] = [args['thread_ts'] ?? null, args['text'] ?? null]
    messages.push({ ...options, conversation: place!, threadTs, text, blocks: blocksIn(args) })
    return null
  }

  const methods: Record<string, (args: Record<string, string>) => object | string> = {
    'auth.test': () => ({ team: 'Shop', team_id: 'T1', user_id: 'UBOT', bot_id: 'B1' }),
    'chat.postMessage': (args) => {
      if (args['text'] === undefined) return 'no_text'
      if (args['text'].length > 40_000) return 'msg_too_long'
      const ts = `${messages.length + 1}.000100`
      return post(args['channel'], args, { ts, files: [] }) ?? { ts, channel: args['channel'] }
    },
    'chat.update': (args) => {
      const message = messages.find(({ ts, conversation }) => ts !== null && ts === args['ts'] && conversation === args['channel'])
      if (!message) return 'message_not_found'
      if (args['text'] === undefined) return 'no_text'
      const fault = faultInMessage(args['channel'], args, { needsBlocks: true })
      if (fault !== null) return fault
      Object.assign(message, { text: args['text'], blocks: blocksIn(args) })
      return { ts: message.ts, channel: args['channel'], text: args['text'] }
    },
    'files.getUploadURLExternal': ({ filename, length, alt_txt: altText = '' }) => {
      if (altText.length > 1_000 || !filename || !/^[1-9]\d*$/.test(length ?? '')) return 'invalid_arguments'
      const id = `F${uploads.size + 1}`
      uploads.set(id, { fileName: filename, lengthBytes: Number(length), bytes: null })
      return { upload_url: `${server.url}/upload/${id}`, file_id: id }
    },
    'files.completeUploadExternal': (args) => {
      const files = (JSON.parse(args['files'] ?? '[]') as { id: string; title?: string }[]).map(({ id, title = '' }) => ({ title, upload: uploads.get(id) }))
      if (files.length === 0 || files.some(({ upload }) => !upload?.bytes)) return 'file_not_found'
      const shared = files.map(({ title, upload }) => ({ title, fileName: upload!.fileName, bytes: upload!.bytes! }))
      return post(args['channel_id'], args, { ts: null, files: shared }) ?? { files: [] }
    },
    'conversations.list': ({ limit, cursor = '0', types = 'public_channel' }) => {
      if (Number(limit) > 999) return 'invalid_limit'
      if (!types.split(',').every((type) => ['public_channel', 'private_channel'].includes(type))) return 'invalid_types'
      const from = Number(cursor)
      const channels = conversations.map((name, at) => ({ id: ids[at]!, name })).slice(from, from + pageSize)
      const next = from + pageSize < conversations.length ? String(from + pageSize) : ''
      return { channels, response_metadata: { next_cursor: next } }
    },
    'users.info': ({ user }) => {
      const person = people.get(user ?? '')
      if (!person) return 'user_not_found'
      const { email, teamId = 'T1', isDeactivated = false, isConfirmed = true } = person
      const profile = scopes.has('users:read.email') ? { email } : {}
      return { user: { id: user, team_id: teamId, deleted: isDeactivated, is_bot: false, is_email_confirmed: isConfirmed, profile } }
    },
  }

  function answer(request: IncomingMessage, body: Buffer): PlainAnswer {
    const path = request.url!
    calls.push(path.replace(/^\/(api\/)?/, ''))
    const scripted = answers.shift()
    if (scripted) return scripted
    if (path === '/services/T1/B1/secret') return answerWebhook(body)
    if (path.startsWith('/upload/')) {
      const upload = uploads.get(path.slice('/upload/'.length))
      if (!upload || upload.lengthBytes !== body.byteLength) return { status: 400, body: 'length mismatch' }
      upload.bytes = body
      return { status: 200, body: `OK - ${body.byteLength}` }
    }
    const method = methods[path.replace('/api/', '')]
    if (!method) return { status: 200, body: { ok: false, error: 'unknown_method' } }
    if (request.headers.authorization !== `Bearer ${token}`) return { status: 200, body: { ok: false, error: 'invalid_auth' } }
    if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return { status: 200, body: { ok: false, error: 'invalid_post_type' } }
    const needed = scopeOf[path.replace('/api/', '')] ?? []
    const headers = { 'x-oauth-scopes': [...scopes].join(',') }
    if (needed.length > 0 && !needed.some((scope) => scopes.has(scope))) {
      return { status: 200, headers, body: { ok: false, error: 'missing_scope', needed: needed[0] } }
    }
    const result = method(Object.fromEntries(new URLSearchParams(body.toString())))
    return { status: 200, headers, body: typeof result === 'string' ? { ok: false, error: result } : { ok: true, ...result } }
  }

  function answerWebhook(body: Buffer): PlainAnswer {
    const message = JSON.parse(body.toString()) as { text?: string; blocks?: unknown }
    if (message.text === undefined || message.text === '') return { status: 400, body: 'no_text' }
    if (faultInBlocks(message.blocks) !== null) return { status: 400, body: 'invalid_blocks' }
    messages.push({ ts: null, conversation: 'webhook', threadTs: null, text: message.text, blocks: message.blocks as PostedMessage['blocks'], files: [] })
    return { status: 200, body: 'ok' }
  }

  const server = await startPlainServer(answer)
  return { apiUrl: `${server.url}/api/`, webhookUrl: `${server.url}/services/T1/B1/secret`, token, messages, calls, answers, people, scopes, close: () => server.close() }
}
