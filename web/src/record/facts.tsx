import type { ReactNode } from 'react'

interface Props {
  name: string
  facts: [label: string, value: ReactNode][]
  /** What can be done with it; not printed. */
  children?: ReactNode
}

/** One thing of a record: its name, and what is to be known of it. */
export function Facts({ name, facts, children }: Props) {
  return (
    <li className="space-y-1 py-3 break-inside-avoid print:py-1.5">
      <h3 className="font-medium">{name}</h3>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-sm sm:grid-cols-4 print:grid-cols-4">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-soft">{label}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {children && <div className="print:hidden">{children}</div>}
    </li>
  )
}
