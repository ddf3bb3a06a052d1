import { useMutation } from '@tanstack/react-query'
import { hasCode, messageOf } from '../api/request.ts'
import { stopRun } from '../api/runs.ts'
import { useToast } from '../ui/toast.tsx'

/** Stops a run. A toast says if that fails. */
export function useStopRun() {
  const toast = useToast()
  return useMutation({
    mutationFn: stopRun,
    onError: (error) => {
      // If the run ended before it could be stopped, the page shows how.
      if (hasCode(error, 'run_already_ended')) return
      toast.show({ message: `Couldn’t stop the query. ${messageOf(error)}`, isProblem: true })
    },
  })
}
