import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { databasesOptions, getUploadsDatabase } from '../../api/databases.ts'
import { messageOf } from '../../api/request.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Opens the database of the member's own uploads. */
export function UploadButton() {
  const queryClient = useQueryClient()
  const toast = useToast()
  const opening = useMutation({
    mutationFn: getUploadsDatabase,
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries(databasesOptions())
      navigate(paths.database(id, { upload: 'true' }))
    },
    onError: (error) => toast.show({ message: messageOf(error), isProblem: true }),
  })
  return (
    <Button kind="primary" icon={<Upload />} isBusy={opening.isPending} onClick={() => opening.mutate()}>Upload a file</Button>
  )
}
