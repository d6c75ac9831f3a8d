export const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 }
main { max-width: 60rem; margin: auto; padding: 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin: 0 0 .5rem }
section { border: 1px solid #8886; border-radius: .75rem; padding: 1rem; margin: 1rem 0 }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: .5rem 1.5rem; margin: 0 }
dt, .soft { color: color-mix(in srgb, currentColor 70%, transparent); font-size: .9rem } dd { margin: 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-top: 1px solid #8884; vertical-align: top }
thead th, thead td { border-top: 0; font-size: .9rem }
tbody th { font-weight: 500 }
pre { overflow: auto; max-height: 24rem; font-size: .85rem; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
label { display: block; margin-top: .75rem }
input { font: inherit; width: 100%; max-width: 30rem; box-sizing: border-box; padding: .5rem; margin-bottom: .25rem }
button { font: inherit; min-height: 2.75rem; padding: 0 1rem; cursor: pointer }
[role='alert'] { color: #c00; font-weight: 600 }
`
