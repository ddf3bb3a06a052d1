import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Database, GivenConnection, ServerEngine, TriedConnection } from '../../api/databases.ts'
import { connectionOf, faultsOf, isComplete, type ServerDraft } from './server-draft.ts'

/**
 * The settings of a server while somebody writes them: they can be tried as often as one likes, and count once they are saved. What
 * was found out about them is gone as soon as they are changed.
 */
export function useConnection(options: {
  engine: ServerEngine
  beginning: ServerDraft
  hasStoredPassword: boolean
  tryOut(given: GivenConnection): Promise<TriedConnection>
  save(given: GivenConnection): Promise<Database>
  onSaved(database: Database): void
}) {
  const { engine, hasStoredPassword } = options
  const [draft, setDraft] = useState(options.beginning)
  const queryClient = useQueryClient()
  const given = connectionOf(draft, { engine, hasStoredPassword })
  const trying = useMutation({ mutationFn: () => options.tryOut(given) })
  const saving = useMutation({
    mutationFn: () => options.save(given),
    onSuccess: async (database) => {
      await queryClient.invalidateQueries({ queryKey: ['databases'] })
      options.onSaved(database)
    },
  })
  const forget = () => {
    trying.reset()
    saving.reset()
  }
  const error = saving.error ?? trying.error
  const form = useRef<HTMLFormElement>(null)
  // The form is longer than a window: whoever is told of a fault is also brought to it.
  useEffect(() => {
    if (error || trying.data?.ok === false) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error, trying.data])
  return {
    form,
    draft,
    change(changed: Partial<ServerDraft>) {
      setDraft({ ...draft, ...changed })
      forget()
    },
    forget,
    isComplete: isComplete(draft, engine),
    tryOut: () => {
      forget()
      trying.mutate()
    },
    save: () => {
      forget()
      saving.mutate()
    },
    isTrying: trying.isPending,
    isSaving: saving.isPending,
    outcome: trying.data,
    error,
    faultAt: faultsOf(error, trying.data),
  }
}

export type Connection = ReturnType<typeof useConnection>
