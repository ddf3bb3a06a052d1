import { Brand } from '../shell/brand.tsx'
import { NotFoundNotice } from '../ui/not-found-notice.tsx'
import { useTitle } from '../ui/use-title.ts'

export function NotFoundPage({ isInShell = false }: { isInShell?: boolean }) {
  useTitle('Page not found')
  if (isInShell) return <NotFoundNotice />
  return (
    <>
      <header className="px-6 py-4">
        <Brand />
      </header>
      <main>
        <NotFoundNotice />
      </main>
    </>
  )
}
