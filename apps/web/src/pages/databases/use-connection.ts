import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Database, GivenConnection, ServerEngine, TriedConnection } from '../../api/databases.ts'
import { toConnection, fieldFaults, isComplete, type ServerDraft } from './server-draft.ts'

/** The connection form: its draft, testing and saving. Every change clears the outcome of the last test. */
export function useConnection(options: {
  engine: ServerEngine
  initial: ServerDraft
  hasStoredPassword: boolean
  tryOut(given: GivenConnection): Promise<TriedConnection>
  save(given: GivenConnection): Promise<Database>
  onSaved(database: Database): void
}) {
  const { engine, hasStoredPassword } = options
  const [draft, setDraft] = useState(options.initial)
  const queryClient = useQueryClient()
  const given = toConnection(draft, { engine, hasStoredPassword })
  const trying = useMutation({ mutationFn: () => options.tryOut(given) })
  const saving = useMutation({
    mutationFn: () => options.save(given),
    onSuccess: async (database) => {
      await queryClient.invalidateQueries({ queryKey: ['databases'] })
      options.onSaved(database)
    },
  })
  const reset = () => {
    trying.reset()
    saving.reset()
  }
  const error = saving.error ?? trying.error
  const form = useRef<HTMLFormElement>(null)
  // The form may be longer than the window, so move to the field with the error.
  useEffect(() => {
    if (error || trying.data?.ok === false) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error, trying.data])
  return {
    form,
    draft,
    change(changed: Partial<ServerDraft>) {
      setDraft({ ...draft, ...changed })
      reset()
    },
    reset,
    isComplete: isComplete(draft, engine),
    tryOut: () => {
      reset()
      trying.mutate()
    },
    save: () => {
      reset()
      saving.mutate()
    },
    isTrying: trying.isPending,
    isSaving: saving.isPending,
    outcome: trying.data,
    error,
    faultAt: fieldFaults(error, trying.data),
  }
}

export type Connection = ReturnType<typeof useConnection>
