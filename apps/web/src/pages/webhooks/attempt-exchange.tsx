import type { Attempt } from '../../api/deliveries.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatMs } from './health-format.ts'

const phaseNames = {
  dnsMs: 'DNS',
  connectMs: 'connect',
  tlsMs: 'TLS',
  responseMs: 'waiting',
  bodyMs: 'reading the body',
} as const

/** One request and its response. */
export function AttemptExchange({ attempt, url }: { attempt: Attempt; url: string }) {
  const { requestHeaders, status, response, address } = attempt
  return (
    <div className="mt-2 grid grid-cols-1 gap-3">
      {requestHeaders === null ? (
        <p className="text-soft">
          {status === null ? 'No request was sent.' : 'The request headers were not recorded.'}
        </p>
      ) : (
        <div className="grid grid-cols-1 gap-1">
          <h4 className="text-xs font-medium">Request</h4>
          <CodeBlock
            label={`Request of attempt ${attempt.number}`}
            text={requestText(url, requestHeaders)}
            canCopy={false}
            isWrapped
          />
        </div>
      )}
      {status !== null && (
        <div className="grid grid-cols-1 gap-1">
          <h4 className="text-xs font-medium">Response: {status}</h4>
          {response === '' ? (
            <p className="text-soft">Empty body</p>
          ) : (
            <CodeBlock label={`Response of attempt ${attempt.number}`} text={response} canCopy={false} isWrapped />
          )}
          {new Blob([response]).size >= 4096 && <p className="text-xs text-soft">Only the first 4 KiB are stored.</p>}
        </div>
      )}
      <p className="text-xs text-soft">
        {address === null ? 'No connection was attempted.' : `Address: ${address}.`} {describePhases(attempt.phases)}
      </p>
    </div>
  )
}

export function RequestBody({ body }: { body: string }) {
  return (
    <div className="grid grid-cols-1 gap-1">
      <div className="flex items-center justify-between gap-2">
        <h4 className="text-xs font-medium">Body (same for every attempt)</h4>
        <CopyButton text={body} label="Copy body" />
      </div>
      <CodeBlock label="Body of the request" text={indented(body)} canCopy={false} isWrapped />
    </div>
  )
}

function requestText(url: string, headers: Record<string, string>): string {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`POST ${pathname}${search} HTTP/1.1`, ...lines].join('\n')
}

function describePhases(phases: Attempt['phases']): string {
  const named = Object.entries(phaseNames).flatMap(([phase, name]) => {
    const ms = phases[phase as keyof typeof phaseNames]
    return ms === null ? [] : [`${name} ${formatMs(ms)}`]
  })
  return named.length === 0 ? '' : `Timing: ${named.join(', ')}.`
}

/** Indented for reading. The body that is sent has no spaces. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
