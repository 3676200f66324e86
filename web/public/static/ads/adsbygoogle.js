// Nothing. Whether it comes tells whether something in the browser keeps such names back (engine/site/ad-block-check.ts).
