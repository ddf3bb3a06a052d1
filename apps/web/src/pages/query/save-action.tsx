import { useQueryClient } from '@tanstack/react-query'
import { Save } from 'lucide-react'
import { useState } from 'react'
import { createReference } from '../../api/references.ts'
import { navigate } from '../../location.tsx'
import { searchOf } from '../../parameters/values.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useHotkey } from '../../ui/use-hotkey.ts'
import { SaveDialog } from './save-dialog.tsx'
import type { WorkbenchState } from './use-workbench.ts'

/** Saves the query with a title, its chart and parameters, and opens its permalink. */
export function SaveAction({ state, onSaved }: { state: WorkbenchState; onSaved(): void }) {
  const [isOpen, setIsOpen] = useState(false)
  const queryClient = useQueryClient()
  const toast = useToast()
  const canSave = state.sql.trim() !== '' && state.database !== undefined
  useHotkey('mod+s', () => setIsOpen(canSave))
  return (
    <>
      <Button icon={<Save />} disabled={!canSave} onClick={() => setIsOpen(true)}>Save query</Button>
      {isOpen && (
        <SaveDialog
          onClose={() => setIsOpen(false)}
          onSave={async (input) => {
            const { definitions, values, visualization } = state
            const reference = await createReference({
              queryId: await state.store(),
              ...input,
              parameters: definitions,
              ...(visualization && { visualization }),
            })
            onSaved()
            void queryClient.invalidateQueries({ queryKey: ['references'] })
            toast.show({ message: 'Query saved. Copy the link to share it.' })
            navigate(paths.permalink(reference.shortId) + searchOf(reference.parameters, values))
          }}
        />
      )}
    </>
  )
}
