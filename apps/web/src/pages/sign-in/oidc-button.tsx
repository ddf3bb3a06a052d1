import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { oidcStartUrl, signInOptionsOptions } from '../../api/session.ts'
import { buttonClass } from '../../ui/button.tsx'

/** Signs in with the OIDC provider, if one is configured. It leaves the pages, so it is a plain link. */
export function OidcButton({ returnTo }: { returnTo: string }) {
  const { data } = useQuery(signInOptionsOptions)
  if (!data?.oidc) return null
  return (
    <>
      <div className="flex items-center gap-3 text-xs text-soft" aria-hidden="true">
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </div>
      <a className={buttonClass({ kind: 'plain' })} href={oidcStartUrl(returnTo)}>
        <KeyRound aria-hidden="true" />
        Continue with {data.oidc.name}
      </a>
    </>
  )
}
