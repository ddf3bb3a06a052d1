import { useCallback } from 'react'
import { shortened } from '../ui/shortened.ts'
import { useComments } from './comments-context.ts'
import type { PointAsShown } from './describe-point.ts'

/** The service stores the beginning of longer texts. */
const maxCharacters = 500

/** Starts a comment on a value of a run's result. Undefined where nothing can be commented on. */
export function useCommentOnPoint({ runId, tileId }: { runId: string; tileId?: string }): ((point: PointAsShown) => void) | undefined {
  const write = useComments()?.write
  const comment = useCallback(
    ({ keys, column, value }: PointAsShown) => {
      const short = (text: string) => shortened(text, maxCharacters)
      const point = {
        runId,
        keys: keys.map((key) => ({ column: short(key.column), value: short(key.value) })),
        column: short(column),
        value: short(value),
      }
      write?.({ ...(tileId !== undefined && { tileId }), point })
    },
    [write, runId, tileId],
  )
  return write && comment
}
