import { Link } from '../routing/link.tsx'
import { Icon, type IconName } from './icon.tsx'

/** A line that leads to a page: what it is, and what is found there. */
export function EntryLink({ to, icon, title, text }: { to: string; icon: IconName; title: string; text: string }) {
  return (
    <Link to={to} className="flex min-h-16 items-center gap-3 px-4 py-2 hover:bg-sunken">
      <Icon name={icon} className="text-faint" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{title}</span>
        <span className="block text-sm text-soft">{text}</span>
      </span>
      <Icon name="next" className="size-5 text-faint" />
    </Link>
  )
}
