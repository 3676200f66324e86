// Words of each field, in English and Chinese, as WordMatcher takes them: a star where the word may go on.
import type { TipCategory } from "@plumb/protocol/conversation/fragment";

const lines = (text: string): string[] => text.trim().split(/\s*\n\s*|\s*;\s*/u);

export const RISK_WORDS: Record<TipCategory, readonly string[]> = {
  FINANCE: lines(`
    invest; investing; investment*; investor*; stock market; stocks; shares; bond; bonds; dividend*; portfolio*; etf; etfs
    mutual fund*; index fund*; hedge fund*; interest rate*; inflation; mortgage*; loan; loans; broker*; brokerage
    cryptocurrenc*; bitcoin; ethereum; leverage; margin call; asset allocation; retirement account; capital gain*; bull market
    bear market; credit score; insurance premium*; treasury; yield; diversif*; volatility
    投资; 理财; 股票; 基金; 债券; 股息; 分红; 收益率; 利率; 通货膨胀; 房贷; 贷款; 券商; 加密货币; 比特币; 杠杆; 资产配置; 牛市; 熊市
    市盈率; 期货; 期权; 外汇; 保险产品; 定投; 止损; 仓位
  `),
  LEGAL: lines(`
    lawyer*; attorney*; lawsuit*; plaintiff*; defendant*; court; courts; judge; jury; statute*; liabilit*; contract law
    breach of contract; litigation; legal advice; criminal law; civil law; tort; custody; divorce; prosecut*; jurisdiction
    trademark*; copyright infring*; intellectual property; tenant*; landlord*; eviction; last will; inheritance; probate; damages
    arbitration; subpoena; felony; misdemeanor
    律师; 诉讼; 起诉; 原告; 被告; 法院; 法官; 仲裁; 合同法; 违约; 民法典; 刑法; 刑事; 赔偿责任; 判决; 法律责任; 离婚; 抚养权; 继承权; 遗嘱
    劳动法; 劳动仲裁; 知识产权; 商标; 侵权; 租赁合同; 司法; 取保候审
  `),
  MEDICAL: lines(`
    doctor; physician*; diagnos*; symptom*; treatment*; medication*; prescription*; dosage; dose; side effect*; disease*; infection*
    antibiotic*; surgery; chemotherapy; cancer; tumor*; diabetes; hypertension; blood pressure; heart attack; stroke; vaccine*
    ibuprofen; paracetamol; acetaminophen; aspirin; insulin; antidepressant*; depression; therapist; pregnan*; fever; chest pain
    allerg*; asthma; overdose
    医生; 就医; 症状; 诊断; 治疗; 药物; 处方; 剂量; 副作用; 疾病; 感染; 抗生素; 手术; 化疗; 癌症; 肿瘤; 糖尿病; 高血压; 血压; 心肌梗死; 心脏病
    中风; 疫苗; 布洛芬; 对乙酰氨基酚; 阿司匹林; 胰岛素; 抑郁症; 怀孕; 孕妇; 发烧; 胸痛; 过敏; 哮喘
  `),
  PROFANITY: lines(`
    fuck*; motherfuck*; shit; shitty; bullshit; asshole*; bitch; bitches; cunt*; bastard*; dickhead*
    傻逼; 傻屄; 操你妈; 肏; 他妈的; 妈的; 王八蛋; 狗屎; 混蛋; 婊子; 去你妈的
  `),
  GENERAL: lines(`
    high voltage; electric shock; gas leak; carbon monoxide; explosive*; flammable; toxic; poison*; corrosive; firearm*; ammunition
    self-harm; suicid*; gambling; betting; lottery; illegal drug*; chainsaw; free solo; scuba diving; bleach; ammonia
    高压电; 触电; 煤气泄漏; 一氧化碳; 易燃; 易爆; 爆炸物; 有毒; 中毒; 腐蚀性; 枪支; 弹药; 自残; 自杀; 赌博; 博彩; 彩票; 毒品; 漂白剂; 氨水
  `),
};
