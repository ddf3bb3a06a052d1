/** Something that one person should know, shown in the pages until it is read. */
export interface Notification {
  id: string
  kind: NotificationKind
  message: string
  /** What it is about, as a path of the pages. */
  link: string
  createdAt: Date
  readAt: Date | null
}

export const notificationKinds = ['endpoint_failing', 'endpoint_disabled', 'run_failed', 'sign_ins_failing'] as const
export type NotificationKind = (typeof notificationKinds)[number]
