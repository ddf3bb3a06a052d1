import { apiKey, email, password, type Service } from './service.ts'

/** Requests for the setup. They are not measured. */
export async function callApi<Answer>(service: Service, path: string, key = apiKey): Promise<Answer> {
  return ask(`http://127.0.0.1:${service.port}${path}`, { headers: { authorization: `Bearer ${key}` } })
}

/** Signs in and resolves with functions that send requests with the cookie, as the web app does. */
export async function signIn(service: Pick<Service, 'port'>, account = { email, password }) {
  const base = `http://127.0.0.1:${service.port}`
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) => ({
    url: `${base}${path}`,
    init: { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } },
  })
  const session = post('/app/api/session', account)
  const answer = await fetch(session.url, session.init)
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0]
  if (!cookie) throw new Error(`Sign-in failed: ${answer.status} ${await answer.text()}`)
  return {
    /** For requests that are read as they arrive. */
    open: (path: string, signal: AbortSignal) => fetch(`${base}${path}`, { headers: { cookie }, signal }),
    put<Answer>(path: string, body: unknown): Promise<Answer> {
      const { url, init } = post(path, body, { cookie })
      return ask(url, { ...init, method: 'PUT' })
    },
    get: <Answer>(path: string): Promise<Answer> => ask(`${base}${path}`, { headers: { cookie } }),
    post<Answer>(path: string, body: unknown): Promise<Answer> {
      const { url, init } = post(path, body, { cookie })
      return ask(url, init)
    },
  }
}

async function ask<Answer>(url: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(url, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
  return JSON.parse(text) as Answer
}
