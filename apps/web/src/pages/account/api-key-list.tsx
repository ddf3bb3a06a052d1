import { useState } from 'react'
import { type ListedApiKey, revokeApiKey } from '../../api/api-keys.ts'
import { messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'

export function ApiKeyList({ keys, onRevoked }: { keys: ListedApiKey[]; onRevoked(id: string): void }) {
  if (keys.length === 0) return <p className="empty">No keys yet. Create one for each program, so that you can revoke it alone.</p>
  return (
    <ul className="card api-keys">
      {keys.map((key) => (
        <ApiKeyItem key={key.id} apiKey={key} onRevoked={() => onRevoked(key.id)} />
      ))}
    </ul>
  )
}

function ApiKeyItem({ apiKey, onRevoked }: { apiKey: ListedApiKey; onRevoked(): void }) {
  const [isAsking, setIsAsking] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const [message, setMessage] = useState<string>()

  async function revoke() {
    setIsSending(true)
    try {
      await revokeApiKey(apiKey.id)
      onRevoked()
    } catch (error) {
      setMessage(messageOf(error))
      setIsSending(false)
    }
  }

  return (
    <li>
      <div className="about">
        <span className="title">{apiKey.name}</span>
        <span className="soft small">
          <code>{apiKey.prefix}…</code> · acts as {apiKey.user.email} · created <Time at={apiKey.createdAt} /> ·{' '}
          {apiKey.lastUsedAt === null ? 'never used' : <>last used <Time at={apiKey.lastUsedAt} /></>}
        </span>
        {message !== undefined && <Problem message={message} />}
      </div>
      {isAsking ? (
        <div className="actions">
          <Button kind="danger" onClick={() => void revoke()} disabled={isSending}>Revoke for good</Button>
          <Button onClick={() => setIsAsking(false)} disabled={isSending}>Keep</Button>
        </div>
      ) : (
        <div className="actions">
          <Button onClick={() => setIsAsking(true)} aria-label={`Revoke ${apiKey.name}`}>Revoke</Button>
        </div>
      )}
    </li>
  )
}
