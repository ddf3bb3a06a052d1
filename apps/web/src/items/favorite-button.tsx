import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { favoritesOptions, type ItemKind, marksOptions, setFavorite } from '../api/items.ts'
import { messageOf } from '../api/request.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { useToast } from '../ui/toast.tsx'

/** Marks a query or a board as a favorite of the person. */
export function FavoriteButton({ kind, shortId }: { kind: ItemKind; shortId: string }) {
  const client = useQueryClient()
  const toast = useToast()
  const options = marksOptions({ kind, shortId })
  const { data: marks } = useQuery(options)
  const isFavorite = marks?.isFavorite ?? false
  const show = (isMarked: boolean) => client.setQueryData(options.queryKey, (before) => before && { ...before, isFavorite: isMarked })
  const toggle = () => {
    show(!isFavorite)
    setFavorite({ kind, shortId }, !isFavorite).then(
      () => {
        void client.invalidateQueries({ queryKey: favoritesOptions.queryKey })
        void client.invalidateQueries({ queryKey: [kind === 'board' ? 'boards' : 'references', kind === 'board' ? 'list' : 'found'] })
      },
      (error: unknown) => {
        show(isFavorite)
        toast.show({ message: messageOf(error), isProblem: true })
      },
    )
  }
  return (
    <IconButton
      label={isFavorite ? 'Remove from favorites' : 'Add to favorites'}
      icon={<Star className={isFavorite ? 'fill-current text-accent' : ''} />}
      aria-pressed={isFavorite}
      disabled={marks === undefined}
      onClick={toggle}
    />
  )
}
