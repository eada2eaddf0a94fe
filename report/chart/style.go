package chart

// style gives each class its look. Colours are written out for light and dark in
// place of variables, which many converters do not know; without a preference the
// light ones hold. Text has a contrast of 7 to 1 on either paper, bars of 3 to 1.
const style = `<style>
text { font-family: system-ui, -apple-system, "Segoe UI", sans-serif; font-size: 12px; fill: #24292f; font-variant-numeric: tabular-nums }
.paper { fill: #ffffff }
.title { font-size: 16px; font-weight: 600 }
.minor { fill: #4b535d }
.grid { stroke: #d8dee4; stroke-width: 1; fill: none }
.axis { stroke: #6e7781; stroke-width: 1; fill: none }
.bar { fill: #3b7dd8 }
.muted { fill: #8c959f }
.whisker { stroke: #16202b; stroke-width: 1.5; fill: none }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.paper { fill: #0d1117 }
.minor { fill: #b1bac4 }
.grid { stroke: #2b323b }
.axis { stroke: #8b949e }
.bar { fill: #3f7fd6 }
.muted { fill: #6e7681 }
.whisker { stroke: #f0f6fc }
}
</style>
`
