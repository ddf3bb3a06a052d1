import type { Pages } from '../api/use-pages.ts'
import { Button } from './button.tsx'
import { Problem } from './notice.tsx'

/** Below a list: the way to more of it, while there is more. */
export function LoadMore({ more }: { more: Pages<unknown>['more'] }) {
  return (
    <>
      {more.message !== undefined && <Problem message={more.message} />}
      {more.isThere && (
        <p className="centered">
          <Button onClick={more.load} disabled={more.isLoading}>{more.isLoading ? 'Loading …' : 'Load more'}</Button>
        </p>
      )}
    </>
  )
}
