import { useMutation, useQueryClient } from '@tanstack/react-query'
import { editReference, type ReferenceContent, type ReferenceInFull, referenceOptions } from '../../api/references.ts'

/** Edits a reference with an optimistic update, rolled back if the service rejects it. */
export function useEditReference(shortId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = referenceOptions(shortId)
  const { mutateAsync } = useMutation({
    mutationFn: (edit: ReferenceContent) => editReference(shortId, edit),
    onMutate: async (edit) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      if (before) queryClient.setQueryData(queryKey, withEdit(before, edit))
      return { before }
    },
    onError: (_error, _edit, context) => {
      if (context?.before) queryClient.setQueryData(queryKey, context.before)
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: ['references'], refetchType: 'none' })
    },
  })
  return async (edit: ReferenceContent): Promise<void> => void (await mutateAsync(edit))
}

function withEdit(before: ReferenceInFull, { visualization, ...edit }: ReferenceContent): ReferenceInFull {
  const { visualization: _, ...rest } = before
  if (visualization === undefined) return { ...before, ...edit }
  return { ...rest, ...edit, ...(visualization && { visualization }) }
}
