import type { ReactNode } from 'react'

interface Props {
  caption: ReactNode
  /** Above the two columns of figures. */
  heads: [first: string, second: string]
  rows: { label: string; first: string; second: string }[]
}

/** Two columns of figures side by side. */
export function ComparedTable({ caption, heads: [first, second], rows }: Props) {
  return (
    <table className="w-full text-left">
      <caption className="pb-1 text-left">{caption}</caption>
      <thead className="text-sm text-soft">
        <tr>
          <td />
          <th scope="col" className="px-2 text-right font-medium">
            {first}
          </th>
          <th scope="col" className="text-right font-medium">
            {second}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.label} className="border-t border-line">
            <th scope="row" className="py-2 font-normal">
              {row.label}
            </th>
            <td className="whitespace-nowrap px-2 text-right tabular-nums">{row.first}</td>
            <td className="whitespace-nowrap text-right tabular-nums">{row.second}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
