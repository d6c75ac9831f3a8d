/** Drawn in place: no icon font, nothing fetched. */
const PATHS = {
  home: 'M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4',
  gear: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  down: 'M5 9l7 7 7-7',
  minus: 'M5 12h14',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.4v.1',
  battery: 'M4 8h14v8H4zM20.5 11v2M7 11v2',
  signal: 'M5 18v-3M10 18v-6M15 18V9M20 18V5',
  door: 'M6 20V4h9v16M15 6h3v14M4 20h16M12 12v.1',
  key: 'M20 8a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0zM12.3 11.2 4 19.5M6.5 17l2.5 2.5M9.5 14l2 2',
  moon: 'M19 14.5A7.5 7.5 0 0 1 9.5 5 7.5 7.5 0 1 0 19 14.5z',
  cloud: 'M7 18h10a3.8 3.8 0 0 0 .5-7.6A5.6 5.6 0 0 0 7 9.2 4.4 4.4 0 0 0 7 18z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1 1M17.4 17.4l1 1M5.6 18.4l1-1M17.4 6.6l1-1',
  flame:
    'M12 21a6.5 6.5 0 0 0 6.5-6.5c0-3.5-2-5.5-3.5-7.5-.5 1.5-1.5 2.5-2.5 3C13 7 12 4.5 9.5 3c.2 3-4 6-4 11.5A6.5 6.5 0 0 0 12 21z',
  house: 'M3 21V10l9-6 9 6v11M9 21v-7h6v7',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14a6.5 6.5 0 0 1 3.5 6',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2',
  calendar: 'M5 6h14v14H5zM5 10.5h14M9 3.5v4M15 3.5v4',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
  page: 'M6 3.5h8l4 4v13H6zM13.5 4v4h4M9 12.5h6M9 16.5h6',
  apps: 'M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z',
  download: 'M12 4v11M7.5 11 12 15.5 16.5 11M5 20h14',
} as const

export type IconName = keyof typeof PATHS

export const Icon = ({ name, className = '' }: { name: IconName; className?: string }) => (
  <Outline path={PATHS[name]} className={className} />
)

export function Outline({ path, className = '' }: { path: string; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      aria-hidden="true"
      className={`${className} shrink-0`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  )
}
