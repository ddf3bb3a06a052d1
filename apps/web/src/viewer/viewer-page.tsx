import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { SharedView } from '../api/generated/schemas.ts'
import { Problem } from '../ui/notice.tsx'
import { PasswordForm } from './password-form.tsx'
import { keepPass, readPass } from './kept-pass.ts'
import { SharedPage } from './shared-page.tsx'
import { makeViewerClient, type ViewerError } from './viewer-client.ts'

type Opened = { state: 'loading' } | { state: 'open'; view: SharedView } | { state: 'failed'; error: ViewerError }

/** The page of a public link. */
export function ViewerPage({ token }: { token: string }) {
  const [pass, setPass] = useState(() => readPass(token))
  const client = useMemo(() => makeViewerClient(`/public/api/links/${encodeURIComponent(token)}`, () => pass), [token, pass])
  const [opened, setOpened] = useState<Opened>({ state: 'loading' })
  const load = useCallback(() => {
    setOpened({ state: 'loading' })
    client.readView().then(
      (view) => setOpened({ state: 'open', view }),
      (error: ViewerError) => setOpened({ state: 'failed', error }),
    )
  }, [client])
  useEffect(load, [load])

  if (opened.state === 'loading') return <Middle><p role="status" className="text-soft">Loading…</p></Middle>
  if (opened.state === 'open') return <SharedPage view={opened.view} client={client} />
  const { code, message } = opened.error
  if (code === 'public_link_password_required') {
    const unlock = async (password: string) => {
      const unlocked = await client.unlock(password)
      keepPass(token, unlocked.pass)
      setPass(unlocked.pass)
    }
    return <Middle><PasswordForm onSubmit={unlock} /></Middle>
  }
  if (code === 'public_link_not_found') {
    return (
      <Middle>
        <h1>This link doesn’t work</h1>
        <p className="text-soft">It may have expired or been revoked. Ask the person who sent it for a new one.</p>
      </Middle>
    )
  }
  return <Middle><Problem title="Couldn’t load this page" message={message} onRetry={load} /></Middle>
}

const Middle = ({ children }: { children: ReactNode }) => (
  <main className="grid min-h-dvh place-content-center justify-items-center gap-2 p-6 text-center">{children}</main>
)
