import type { PhraseRule } from '../phrases/phrase-rule.ts'

const setAside =
  'ignore|disregard|forget|discard|override|overrule|overwrite|bypass|neglect|abandon|set_aside|put_aside|pay_no_attention_to|cancel|erase|wipe|stop_following|disobey|throw_away|throw_out|drop|delete|nullify|void'
const earlier =
  'previous|prior|above|earlier|preceding|former|foregoing|existing|initial|original|past|old|previously|before'
const orders = 'instruct*|prompt*|directive*|guideline*|guidance|orders'
const rules =
  'rules|messages|context|constraints|commands|policies|policy|restrictions|training|text|safeguards|limitations|conversation'

/** Instructions that would set aside those of the user, the developer or the host. */
export const overridesInstructions: PhraseRule = {
  name: 'overrides-instructions',
  says: 'tells the model to set aside its instructions or to become another',
  phrases: {
    strong: [
      `${setAside} ..4 ${earlier} ..3 ${orders}`,
      `${setAside} ..3 ${orders} ..3 above|before|earlier|previously|so_far|up_to_now|until_now|you_were_given|you_have|you_received|given_earlier`,
      `${setAside} ..1 all|any|every|everything|your ..2 ${earlier} ..2 ${rules}`,
      `${setAside} ..2 all_your|your|any_of_your|all_of_your ..3 ${orders}|programming|training|restrictions|constraints|safety*|rules|limitations`,
      `${setAside} ..2 system|developer|host|user|users|safety|hosts|developers ..1 ${orders}`,
      `${setAside} ..2 system|developer ..1 message*|prompt*|instruct*|configuration`,
      `${setAside} ..2 original|actual|current|first|real|users ..1 task|request|goal|question|objective|job`,
      'ignore|disregard|forget ..1 what|whatever|anything|everything ..2 user|users|human|customer|host|operator|developer|person ..2 ask*|want*|said|says|request*|told|instruct*',
      'whatever|everything|anything|all|what ..3 you|operator|developer|developers|creators|makers|host|provider|administrator ..5 configured|told|said|set|gave|given|instruct*|wrote|decided ..3 no_longer|not|nothing ..2 count*|appl*|matter*|valid|hold*|binding',
      'treat|consider|regard|deem ..4 rules|instruct*|guideline*|prompt|guidance|directive*|policies ..6 void|obsolete|null|cancelled|canceled|invalid|suspended|revoked|expired|untrusted|fake|superseded|withdrawn',
      `your|previous|prior|earlier|original|above ..2 rules|instruct*|guideline*|guidance|prompt|directive*|training ..2 is|are|has_been|have_been ..1 obsolete|void|cancelled|canceled|invalid|revoked|replaced|expired|suspended|superseded|wrong|withdrawn|null|overridden`,
      'obey|follow|trust|heed ..1 this|these|only ..2 description|text|note|server|page|publisher ..2 instead|only|alone|rather|above_all',
      'forget|ignore ..1 who|what ..1 you ..1 are|were|really',
      'rules|instruct*|guideline*|orders|directive* ..1 you ..1 got|were_given|have|received|had|know ..4 are|were ..3 test|fake|joke|wrong|lie|void|obsolete|decoy|outdated',
      'real|true|actual|only_valid ..1 rules|instruct*|ones|orders|guideline*|directive* ..1 are|follow|begin|stand ..2 these|here|below|this|following',
      'never_mind|no_matter|forget_about|do_not_care ..1 what ..3 developer|operator|user|system|creator|creators|host|provider ..2 told|said|wants|wrote|asked|configured',
      'description|text|tool|server|note ..1 has|have ..1 the_last_word|the_final_say|final_authority|absolute_priority|full_authority|precedence',
      'act|respond|answer|behave|work|speak|operate ..2 without ..2 your ..2 restrict*|limit*|filters|guideline*|rules|safeguards|polic*',
      `forget|ignore|drop|discard ..1 rules|instruct*|guideline* ..2 you|from ..3 given|got|received|developer|start`,
      'obey|answer_to|listen_to|serve ..4 nobody_else|no_one_else|and_only|alone|exclusively',
      'ignore|disregard|forget|discard|erase ..2 everything|anything|whatever|all ..4 before|above|prior|told|said|previously|earlier|learned|learnt',
      'your ..1 new|real|true|actual|only|updated ..1 instruct*|task|objective|goal|role|directive*|mission|purpose|orders ..1 is|are',
      `new|updated|revised|latest ..1 instruct*|directive*|rules|orders ..3 supersede*|replac*|overrid*|take_precedence|take_priority|void*|cancel* ..4 ${earlier}|all|any|every*|system|user`,
      `this|these|following|below|here ..2 instruct*|directive*|rule*|text|note|message*|paragraph|description ..3 supersede*|overrid*|overrul*|take_precedence|takes_precedence|take_priority|takes_priority|outrank* ..5 instruct*|prompt*|request*|message*|everything|rules|guideline*|policy|policies|preferences`,
      'developer_mode|god_mode|dan_mode|jailbreak_mode|unrestricted_mode ..2 enabled|activated|active|unlocked',
      'you_are_now|you_are_no_longer|youre_now|youre_no_longer|consider_yourself ..5 dan|jailbroken|unrestricted|unfiltered|uncensored|unaligned|free_of|free_from|freed_from|bound_by|restricted|root|superuser|developer_mode|maintenance_mode|admin_mode|god_mode',
      'no ..1 longer ..2 bound|restricted|constrained|limited|obliged ..2 rules|guideline*|polic*|restrict*|instruct*|prompt*|safety',
      'respond|answer|operate|behave|act|reply|continue ..4 without ..2 restrict*|limitations|filters|guideline*|safety|censorship|content_policy|guardrails',
      'safety|content|ethical|security ..1 guideline*|filters|polic*|restrictions|rules|checks|guardrails ..2 do_not_apply|dont_apply|no_longer_apply|are_suspended|are_disabled|are_lifted|are_off|are_waived|suspended|lifted|waived',
      // German
      'ignorier*|missacht*|vergiss|vergesst|vergessen_sie|ubergeh*|uberspring*|verwirf|verwerfen_sie|beachte|beachten_sie ..4 vorherig*|vorig*|bisherig*|obig*|fruher*|vorangehend*|vorangegangen*|ursprunglich* ..3 anweisung*|instruktion*|vorgabe*|befehl*|regel*|prompt*|aufforderung*|richtlinie*|eingabe*|auftrag*|systemprompt*',
      'vergiss|ignorier*|vergessen_sie ..2 alles|alle ..5 anweisung*|instruktion*|vorgabe*|gesagt*|vorher|zuvor|bisher|regeln',
      // French
      'ignore*|ignorez|oublie*|oubliez|neglige*|desobei*|fais_abstraction|faites_abstraction|ne_tiens_pas_compte|ne_tenez_pas_compte|ne_tiens_plus_compte|ne_tenez_plus_compte ..4 instruction*|consigne*|directive*|regle*|ordre*|indication* ..3 precedent*|anterieur*|ci_dessus|initial*|origine|prealable*|systeme|recu*|donne*',
      'ignore*|oublie*|oubliez|ignorez ..3 precedent*|anterieur* ..2 instruction*|consigne*|directive*|regle*|message*',
      'oublie*|oubliez|ignore*|ignorez ..2 tout_ce_que|tout_ce_qui ..6 avant|dit|precede|precedemment|demande|auparavant',
      // Spanish, Portuguese, Italian
      'ignora*|ignore*|olvida*|olvide*|descarta*|desobedec*|omite|omita|pasa_por_alto|pase_por_alto|haz_caso_omiso|haga_caso_omiso|no_hagas_caso|no_tengas_en_cuenta|esqueca*|desconsider*|dimentica*|trascura* ..5 instruccion*|instruc*|indicacion*|orden|ordenes|directric*|regla*|regra*|mensaje*|istruzion*|ordini|diretriz*|consigna* ..3 anterior*|previa*|previo*|precedent*|arriba|acima|original*|inicial*|sistema|sopra|recibid*',
      'olvida*|ignora*|olvide*|esqueca|dimentica ..2 todo|tudo|tutto ..4 anterior*|antes|dicho|dito|detto|precedent*',
      // Russian
      'игнорируй*|игнорировать|проигнорируй*|забудь*|отбрось*|пренебреги*|отмени*|не_обращай_внимания|не_обращайте_внимания|не_учитывай*|не_следуй* ..5 предыдущ*|прежн*|прошл*|вышеуказан*|вышеизложен*|предшеств*|ранее|исходн*|системн*|выше|прочие ..4 инструкц*|указани*|команд*|правил*|распоряжен*|сообщени*|промпт*|запрос*',
      'забудь*|игнорируй* ..2 все|всё ..5 инструкц*|указани*|правил*|сказан*|прежде|раньше|ранее',
      // Chinese, Japanese, Korean
      '忽略|无视|忘记|忘掉|不要理会|不要遵循|不要遵守|不用管|抛开|忽視|無視|忘記|丢弃|舍弃|作废 ..5 之前|以前|上面|上述|先前|此前|前面|以上|所有|全部|原有|一切|系统|早先 ..8 指令|指示|提示|说明|命令|规则|要求|設定|设定|限制|規則|约束|內容|内容|對話',
      '之前|以前|先前|此前|上述|以上 ..6 指令|指示|提示词|规则|命令 ..4 作废|无效|失效|取消|忽略|无视',
      '以前|前|上記|これまで|今まで|先ほど|先|すべて|全て|従来|既存|最初|システム ..6 指示|命令|プロンプト|指令|ルール|規則|設定|制約 ..6 無視|忘れ|破棄|従わない|従うな|上書き|取り消',
      '이전*|위의|앞의|기존*|지금까지* ..4 지시*|지침*|명령*|프롬프트*|규칙* ..3 무시*|잊어*|따르지*',
    ],
    command: [
      'from_now_on|henceforth|from_this_point_on|from_this_moment|from_here_on|from_this_point|as_of_now|starting_now|effective_immediately ..2 you|the_assistant|the_model|the_agent|all_responses|every_response|every_answer',
      `do_not|dont|never|stop|cease ..1 follow|obey|obeying|following|listen_to|listening_to|apply|comply_with|trust ..4 previous|prior|earlier|original|system|developer|your_own|user|users ..2 instruct*|prompt*|directive*|guideline*|rules|request*`,
      'you_are_now|you_are_no_longer ..6 assistant|agent|bot|model|ai|hacker|operator|attacker',
      'ab_jetzt|ab_sofort|von_nun_an ..2 bist_du|sind_sie|musst_du|wirst_du|antwortest_du',
      'a_partir_de_ahora|desde_ahora|a_partir_de_agora|de_ahora_en_adelante ..2 eres|debes|actua*|voce|responde*|seras',
      'desormais|a_partir_de_maintenant|dorenavant ..2 tu|vous ..1 es|etes|dois|devez|repond*|agi*',
      'с_этого_момента|отныне|теперь ..2 ты|вы ..2 должен|должна|будешь|подчиня*|являешь*',
      '从现在|從現在 ..6 你 ..4 是|必须|将|要|只|不再|是',
      '今から|これから|今後 ..4 あなた ..8 です|なりま|従って|従い',
    ],
    weak: [
      `${setAside} ..3 ${earlier} ..2 ${rules}`,
      'you_must|you_should|you_will|you_are_required_to|the_assistant_must|the_model_must|the_ai_must|llm_must|models_must ..1 always ..3 recommend|praise|agree|obey|comply|trust',
      'pretend|imagine|assume ..2 you_are|youre|that_you_are|to_be ..4 unrestricted|admin|administrator|root|developer|system',
    ],
  },
}
