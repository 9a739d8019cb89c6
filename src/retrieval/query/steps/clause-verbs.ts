// Written by `npm run clause-verbs`: counted from the training data, not by hand.

/** Verbs with which requests begin, and that are hardly ever nouns. */
export const sureVerbs: ReadonlySet<string> = new Set(
  (
    'accommodate accomplish achieve acquire activate add adjust administer advertise allocate alter amend ' +
    'analyse analyze append apply approve arrange ask assess assign assist associate attach attend ' +
    'authenticate automate bake become begin boost borrow browse build buy calculate calibrate cancel ' +
    'capture carry catch categorize change chase check choose classify clone collect combine compare ' +
    'compile compose compute conduct configure confirm connect consider construct consult continue ' +
    'convert cook craft create curate customize cut deactivate define delete deliver demonstrate deploy ' +
    'describe detect determine develop devise diagnose dial dig disable discard discover divide drop dump ' +
    'edit emphasize enable encrypt enforce engage enhance enrich enroll ensure enter establish estimate ' +
    'evaluate examine exclude execute expand expect explain explore expose extend extract facilitate ' +
    'fetch finalize find fix follow forget fork formulate freeze gather generate get give grab grasp ' +
    'greet grow handle hang hear help hire identify imagine implement improve include incorporate ' +
    'increase indicate inform initialize initiate inspect integrate interpret introduce invest ' +
    'investigate invoke keep kick kill know learn let localize locate lose maintain make manage mark ' +
    'modify monitor move multiply normalize notify obtain operate optimize orchestrate organize owe parse ' +
    'paste pause pay perform personalize pick play populate predict prepare preserve prevent prioritize ' +
    'produce promote proofread propose protect prove provide publish purge put raise read reboot rebuild ' +
    'receive recognize recommend recover reduce refactor refine reflect refuse register rehearse reload ' +
    'remember remind remove rename renew rent reopen reorder replace require rerun reschedule reserve ' +
    'reset resize resolve restore retire retrieve return revoke reword rewrite rotate run save say scrap ' +
    'see select sell send set settle show showcase shut simplify simulate sketch skip solve speak specify ' +
    'streamline strip submit suggest summarize synthesize tailor take teach tell think throw toggle ' +
    'transcribe transform translate troubleshoot truncate try turn understand unlock update upload use ' +
    'utilize validate verify view visualize wake walk want watch wipe wrap write'
  ).split(' '),
)

/** Verbs with which requests begin, and that are often nouns: only an object tells. */
export const nounLikeVerbs: ReadonlySet<string> = new Set(
  (
    'accept access adapt allow answer archive arm audit book break broadcast burn call clean clear click ' +
    'close commit complete contain control coordinate correct count cover crawl critique crop cross debug ' +
    'decode decrypt derive design discuss display download draft draw drive duplicate encode export ' +
    'express fill filter finance finish fit fly fold forward google grant guess guide hand hide highlight ' +
    'hit hold host ignore import insert inspire install invite join judge launch leave leverage lift ' +
    'limit list live load lock log look love lower mail measure mention merge mirror mix mute narrow ' +
    'navigate observe offer open pack paint pass patch pin place plan plant plot poke polish poll post ' +
    'practice present press preview print provision proxy pull purchase push query reach recall record ' +
    'refresh reject remote render repeat replicate represent resend restart resume reverse review roll ' +
    'scale scan schedule scrape scroll search separate serve share shift ship sign sort split spot start ' +
    'stop store stream strike subscribe support surprise swap switch sync terminate test touch trace ' +
    'track transfer trigger trim true tune unpublish upgrade upscale visit wait warm win'
  ).split(' '),
)
