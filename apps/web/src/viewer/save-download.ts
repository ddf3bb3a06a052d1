import type { Downloaded } from './viewer-client.ts'

export function saveDownload({ name, content }: Downloaded): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
