import { CommandError, type Context } from './command.ts'

const defaultUrl = 'http://localhost:3000'

export interface ServiceConnection {
  baseUrl: string
  apiKey: string
}

/** Reads the service's address and API key from `--url` and the environment. */
export function readConnection(context: Pick<Context, 'environment' | 'url'>): ServiceConnection {
  const { environment } = context
  const given = context.url ?? (environment['QUERYPOST_URL']?.trim() || defaultUrl)
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    throw new CommandError(2, `${given} is not the address of a service. Example: --url https://querypost.example.com`)
  }
  const apiKey = environment['QUERYPOST_API_KEY']?.trim()
  if (!apiKey) {
    const page = new URL('/account', given).href
    throw new CommandError(2, `Set QUERYPOST_API_KEY to your API key. The first start prints one; create more at ${page}.`)
  }
  return { baseUrl: given.replace(/\/+$/, ''), apiKey }
}
