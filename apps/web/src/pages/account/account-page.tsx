import { useState } from 'react'
import { type CreatedApiKey, listApiKeys } from '../../api/api-keys.ts'
import { messageOf } from '../../api/request.ts'
import type { Session } from '../../api/session.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Loading, Problem } from '../../ui/notice.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { ApiKeyForm } from './api-key-form.tsx'
import { ApiKeyList } from './api-key-list.tsx'
import { NewApiKey } from './new-api-key.tsx'

export function AccountPage({ session }: { session: Session }) {
  useTitle('Account')
  const [created, setCreated] = useState<CreatedApiKey>()
  const { loaded, reload } = useLoaded('api keys', listApiKeys)
  return (
    <>
      <header className="page-head">
        <h1>Account</h1>
        <p className="soft">
          {session.user.name} · {session.user.email} · {session.role} of {session.organization.name}
        </p>
      </header>
      <section>
        <h2>API keys</h2>
        <p className="soft">A key lets a program act as you. It is shown once; keep it where you keep passwords.</p>
        <ApiKeyForm
          onCreated={(key) => {
            setCreated(key)
            reload()
          }}
        />
        {created && <NewApiKey created={created} />}
        {loaded.status === 'loading' && <Loading />}
        {loaded.status === 'failed' && <Problem message={messageOf(loaded.error)} onRetry={reload} />}
        {loaded.status === 'ready' && (
          <ApiKeyList
            keys={loaded.value}
            onRevoked={(id) => {
              if (created?.id === id) setCreated(undefined)
              reload()
            }}
          />
        )}
      </section>
    </>
  )
}
